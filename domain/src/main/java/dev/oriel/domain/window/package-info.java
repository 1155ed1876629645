/** Symmetric memory: layouts, slots, comparisons, regions, barriers and epochs. */
package dev.oriel.domain.window;
