/** How an app uses the library: a small one, injected, that picks its machine by name. */
@NullMarked
package dev.oriel.it.example;

import org.jspecify.annotations.NullMarked;
