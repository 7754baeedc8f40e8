// SPDX-License-Identifier: GPL-2.0
/*
 * An I2C bus with one display on it, whose wire leads out of the machine: every write that the display acknowledges goes, byte for
 * byte, to an I/O port behind which the emulator keeps a socket. So whoever stands outside sees a picture in the very moment in which
 * the driver's write returns, and not when somebody inside gets round to asking.
 *
 * On the port: the length of a message (two bytes, low one first), then its bytes.
 * /sys/module/thoth_wire/parameters/unplugged: Y pulls the display off; writes then fail as on a Raspberry Pi (EREMOTEIO).
 */
#include <linux/i2c.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/module.h>

static ushort address = 0x3c;
module_param(address, ushort, 0444);
MODULE_PARM_DESC(address, "address of the display");

static int bus = 1;
module_param(bus, int, 0444);
MODULE_PARM_DESC(bus, "number of the I2C bus");

static ushort port = 0x5c0;
module_param(port, ushort, 0444);
MODULE_PARM_DESC(port, "I/O port of the wire");

static bool unplugged;
module_param(unplugged, bool, 0644);
MODULE_PARM_DESC(unplugged, "whether the display is off its wires");

static void wire_send(const struct i2c_msg *message)
{
	outb(message->len & 0xff, port);
	outb(message->len >> 8, port);
	outsb(port, message->buf, message->len);
}

/* The I2C core holds the bus for us: one transfer at a time. */
static int wire_transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	int i;

	for (i = 0; i < count; i++) {
		if (unplugged || messages[i].addr != address)
			return -EREMOTEIO;
		if (messages[i].flags & I2C_M_RD)
			memset(messages[i].buf, 0, messages[i].len);
		else
			wire_send(&messages[i]);
	}
	return count;
}

static u32 wire_can(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm wire_algorithm = {
	.master_xfer = wire_transfer,
	.functionality = wire_can,
};

static struct i2c_adapter wire_adapter = {
	.owner = THIS_MODULE,
	.name = "thoth-wire",
	.algo = &wire_algorithm,
};

static int __init wire_init(void)
{
	int error;

	if (!request_region(port, 1, "thoth-wire"))
		return -EBUSY;
	wire_adapter.nr = bus;
	error = i2c_add_numbered_adapter(&wire_adapter);
	if (error)
		release_region(port, 1);
	return error;
}

static void __exit wire_exit(void)
{
	i2c_del_adapter(&wire_adapter);
	release_region(port, 1);
}

module_init(wire_init);
module_exit(wire_exit);
MODULE_DESCRIPTION("I2C bus whose display stands outside the machine");
MODULE_LICENSE("GPL");
