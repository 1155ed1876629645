/**
 * Messages of any size through a ring of tiles in a window: with credits, cursors that go on from
 * call to call, and steps that never block; in plain bytes or in packets, through one lane or
 * several. Both ends say what they are before anything is sent.
 *
 * <p>A ring may lie over memory that another channel had, once all of the other's transfers have
 * ended and both ranks have met in a barrier behind them. Its slots and counter stay used: take
 * others.
 */
@NullMarked
package dev.oriel.ports.channel;

import org.jspecify.annotations.NullMarked;
