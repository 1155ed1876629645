/** The order in which ranks connect to the peers that they need. */
package dev.oriel.domain.connection;
