/* A table of ops whose memory can be read and written only by ops. A node that accesses device
 * memory directly crashes the test. */
#pragma once

#include "core/tensor/ops.h"

const struct ops *ops_fence(const struct ops *inner);
