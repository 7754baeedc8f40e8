"""Thoth on a machine with devices: a Debian 13 that is emulated whole, with a kernel whose pins, I2C bus and camera are simulated, so that
the installed service runs with its real drivers (picamera2 and libcamera, luma.oled, gpiozero and lgpio). ``python -m tests.machine.vm``
(``make test-machine``). It needs root and qemu; where they are not to be had it says so on its last line and exits with 77."""
