/** In which order ranks connect with those they need. */
package dev.oriel.domain.connection;
