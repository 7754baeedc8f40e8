// SPDX-License-Identifier: GPL-2.0
/*
 * What stands before vimc's camera: frames that are written, raw and one after the other, to /sys/kernel/debug/vimc-scene. They are in
 * view from the moment in which the file is closed. Each exposure shows one of them, never the same twice running, as a sensor's noise
 * would have it. All else (media graph, buffers, time stamps, streaming) is vimc's own.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "vimc-scene.h"

#define SCENE_MOST (48u << 20)

static unsigned int frames_per_second = 5;
module_param(frames_per_second, uint, 0644);
MODULE_PARM_DESC(frames_per_second, "exposures in a second; a machine that is emulated manages few");

struct scene {
	size_t size;
	u8 bytes[];
};

static DEFINE_MUTEX(scene_lock);
static struct scene *scene;
static size_t shown;
static struct dentry *scene_file;

bool vimc_scene_there(void)
{
	return READ_ONCE(scene);
}

signed long vimc_scene_pause(void)
{
	return max(1u, HZ / clamp(READ_ONCE(frames_per_second), 1u, 60u));
}

/* An exposure of @size bytes: a frame of the scene; where none of that size is in view, what vimc made itself, or black. */
void vimc_scene_expose(void *to, const void *made, size_t size)
{
	mutex_lock(&scene_lock);
	if (scene && size && scene->size >= size) {
		size_t count = scene->size / size;

		if (count > 1)
			shown = (shown + 1 + get_random_u32_below(count - 1)) % count;
		else
			shown = 0;
		memcpy(to, scene->bytes + shown * size, size);
	} else if (made) {
		memcpy(to, made, size);
	} else {
		memset(to, 0, size);
	}
	mutex_unlock(&scene_lock);
}

static int scene_open(struct inode *inode, struct file *file)
{
	struct scene *fresh = vmalloc(sizeof(*fresh) + SCENE_MOST);

	if (!fresh)
		return -ENOMEM;
	fresh->size = 0;
	file->private_data = fresh;
	return 0;
}

static ssize_t scene_write(struct file *file, const char __user *from, size_t count, loff_t *position)
{
	struct scene *fresh = file->private_data;

	if (count > SCENE_MOST - fresh->size)
		return -EFBIG;
	if (copy_from_user(fresh->bytes + fresh->size, from, count))
		return -EFAULT;
	fresh->size += count;
	return count;
}

static int scene_release(struct inode *inode, struct file *file)
{
	struct scene *fresh = file->private_data;

	if (fresh->size) {
		mutex_lock(&scene_lock);
		swap(scene, fresh);
		mutex_unlock(&scene_lock);
	}
	vfree(fresh);
	return 0;
}

static const struct file_operations scene_operations = {
	.owner = THIS_MODULE,
	.open = scene_open,
	.write = scene_write,
	.release = scene_release,
};

void vimc_scene_begin(void)
{
	scene_file = debugfs_create_file("vimc-scene", 0200, NULL, NULL, &scene_operations);
}

void vimc_scene_end(void)
{
	debugfs_remove(scene_file);
	vfree(scene);
	scene = NULL;
}
