/** Repeated launches on a GPU whose inputs and outputs no host touches in between. */
@NullMarked
package dev.oriel.cuda.stress;

import org.jspecify.annotations.NullMarked;
