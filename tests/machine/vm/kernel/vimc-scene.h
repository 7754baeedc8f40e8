/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VIMC_SCENE_H
#define VIMC_SCENE_H

#include <linux/types.h>

bool vimc_scene_there(void);
signed long vimc_scene_pause(void);
void vimc_scene_expose(void *to, const void *made, size_t size);
void vimc_scene_begin(void);
void vimc_scene_end(void);

#endif
