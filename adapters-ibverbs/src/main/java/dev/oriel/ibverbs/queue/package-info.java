/**
 * ConnectX queues for posters other than their own library, including GPUs: their layout in terms
 * of {@link dev.oriel.ports.queue}, served by an interface in software or by a device. Also the
 * carriers, which execute requests that posters handed to the host.
 */
@NullMarked
package dev.oriel.ibverbs.queue;

import org.jspecify.annotations.NullMarked;
