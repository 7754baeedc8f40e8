"""What a Raspberry Pi has and plain Debian has not, laid over the tree that becomes the machine's disk: pins, bus, camera, and the board's
revision; and a pair of hands (``guest/hands.py``). Of Thoth itself nothing is changed but its settings."""

from __future__ import annotations

import shutil
from pathlib import Path

GUEST = Path(__file__).parent / "guest"
REVISION = "c03115"
"""A Raspberry Pi 4 Model B, 4 GB, revision 1.5: gpiozero lays out its pins by it."""
ROOT, STATE = "thoth-root", "thoth-state"
"""Labels of the two file systems. The second is what is written to, and what power cuts are tried on."""
LED = 5
SETTINGS = f"""\
names = ["Ana", "Ben"]
[camera]
kind = "picamera2"
[display]
driver = "ssd1306"
dim_after = 0
sleep_after = 0
[buttons]
kind = "gpio"
factory = "lgpio"
[signals]
led = {LED}
"""
FILES = {
    "etc/fstab": f"LABEL={ROOT} / ext4 defaults,noatime 0 1\nLABEL={STATE} /var/lib/thoth ext4 defaults,noatime 0 2\n",
    "etc/hostname": "thoth\n",
    "etc/modules-load.d/machine.conf": "i2c-dev\nthoth-wire\nvimc\n",
    # libcamera's allocator looks for the heap by the name that it has on a Pi, in which udev allows no comma.
    "etc/tmpfiles.d/machine.conf": "L+ /dev/dma_heap/linux,cma - - - - system\n",
    "usr/local/lib/machine/cpuinfo": f"processor\t: 0\n\nRevision\t: {REVISION}\nModel\t\t: Raspberry Pi 4 Model B Rev 1.5\n",
    # The unit has a /proc of its own, so the board's revision is laid into that one. And a second is long here.
    "etc/systemd/system/thoth.service.d/board.conf": "[Unit]\nAfter=machine-header.service\n"
    "[Service]\nBindReadOnlyPaths=/usr/local/lib/machine/cpuinfo:/proc/cpuinfo\n"
    "TimeoutStartSec=1800\nTimeoutStopSec=120\nWatchdogSec=1800\n",
    "etc/systemd/system/machine-header.service": """\
[Unit]
Description=Pins of the header, something before the sensor
After=sys-kernel-config.mount sys-kernel-debug.mount
Wants=sys-kernel-config.mount
[Service]
Type=oneshot
RemainAfterExit=yes
StandardError=journal+console
ExecStart=/bin/sh /usr/local/lib/machine/header.sh
[Install]
WantedBy=multi-user.target
""",
    "etc/systemd/system/machine-hands.service": """\
[Unit]
Description=Hands inside the machine
StartLimitIntervalSec=0
[Service]
ExecStart=/usr/bin/python3 /usr/local/lib/machine/hands.py
Restart=always
RestartSec=1
StandardError=journal+console
[Install]
WantedBy=multi-user.target
""",
    "etc/thoth/thoth.toml": SETTINGS,
}
_WANTS = "etc/systemd/system/multi-user.target.wants"
MASKED = (
    "apt-daily.timer",
    "apt-daily-upgrade.timer",
    "dpkg-db-backup.timer",
    "e2scrub_all.timer",
    "fstrim.timer",
    "serial-getty@ttyS0.service",
    "getty@tty1.service",
    "systemd-networkd-wait-online.service",
    "systemd-binfmt.service",
    "proc-sys-fs-binfmt_misc.automount",
    "systemd-hwdb-update.service",
    "systemd-journal-catalog-update.service",
    "systemd-update-done.service",
    "systemd-update-utmp.service",
    "ldconfig.service",
    "e2scrub_reap.service",
    "sys-fs-fuse-connections.mount",
    "dev-hugepages.mount",
    "dev-mqueue.mount",
    "sys-kernel-tracing.mount",
    "modprobe@drm.service",
    "modprobe@efi_pstore.service",
    "modprobe@fuse.service",
    "modprobe@dm_mod.service",
    "modprobe@loop.service",
    "systemd-pstore.service",
    "systemd-random-seed.service",
    "systemd-machine-id-commit.service",
    "systemd-firstboot.service",
    "systemd-sysusers.service",
    "systemd-userdbd.socket",
    "systemd-timesyncd.service",
    "wtmpdb-update-boot.service",
)
"""What only costs an emulated machine time."""


def lay_over(root: Path) -> None:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name in ("hands.py", "header.sh"):
        shutil.copy(GUEST / name, root / "usr/local/lib/machine" / name)
    (root / _WANTS).mkdir(parents=True, exist_ok=True)
    for unit in ("machine-header.service", "machine-hands.service"):
        link(root / _WANTS / unit, f"/etc/systemd/system/{unit}")
    shutil.rmtree(root / "var/log/journal", ignore_errors=True)
    for unit in MASKED:
        link(root / "etc/systemd/system" / unit, "/dev/null")


def link(path: Path, to: str) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(to)
