/* SPDX-License-Identifier: MIT */
/* A world as what expressions are asked about: instances are its instances. */
#ifndef WCTS_ENV_H
#define WCTS_ENV_H

#include "../lang/expr.h"
#include "world.h"

/* The world has to outlive the environment; it may change. */
struct wcts_lang_env wcts_world_env(const struct wcts_world *world);

#endif
