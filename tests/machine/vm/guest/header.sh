#!/bin/sh
# The pins of a Raspberry Pi's header: lines 0 to 27 of a simulated chip, all of them pulled up as buttons to ground need it.
set -e
modprobe gpio-sim
[ -d /sys/kernel/config/gpio-sim ] || mount -t configfs none /sys/kernel/config || true
header=/sys/kernel/config/gpio-sim/header
mkdir -p $header/bank0
echo 28 >$header/bank0/num_lines
echo 1 >$header/live
