/** Who reaches whom and how: a pure function of what every rank says about itself. */
package dev.oriel.domain.topology;
