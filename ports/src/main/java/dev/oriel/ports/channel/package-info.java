/**
 * Messages of any size through a ring of tiles in a window, with credits. Cursors continue from
 * call to call, and steps never block. Messages are plain bytes or packets, through one lane or
 * several. Both ends announce themselves before anything is sent.
 *
 * <p>A ring may reuse the memory of another channel after all transfers of that channel have ended
 * and both ranks have met in a barrier. Its slots and counter stay used: take others.
 */
@NullMarked
package dev.oriel.ports.channel;

import org.jspecify.annotations.NullMarked;
