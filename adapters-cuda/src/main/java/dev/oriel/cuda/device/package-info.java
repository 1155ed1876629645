/**
 * A window in kernels of the caller: the handle that such a kernel takes by value, its memory, and
 * its failures. The kernel includes {@code oriel_device.cuh}, among the resources of this module.
 */
@NullMarked
package dev.oriel.cuda.device;

import org.jspecify.annotations.NullMarked;
