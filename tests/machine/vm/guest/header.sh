#!/bin/sh
# What is there when a Raspberry Pi is switched on: the header's pins, lines 0 to 27 of a simulated chip; and a camera's sensor that sees something,
# be it noise, until a scene is laid before it.
set -e
modprobe gpio-sim
modprobe vimc
header=/sys/kernel/config/gpio-sim/header
mkdir -p $header/bank0
echo 28 >$header/bank0/num_lines
echo 1 >$header/live
head -c 7962624 /dev/urandom >/sys/kernel/debug/vimc-scene
