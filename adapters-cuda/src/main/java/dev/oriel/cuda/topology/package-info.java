/** The GPUs of this host, and the ways between them. */
@NullMarked
package dev.oriel.cuda.topology;

import org.jspecify.annotations.NullMarked;
