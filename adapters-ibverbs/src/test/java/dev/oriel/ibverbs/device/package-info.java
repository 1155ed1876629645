/**
 * Suites that need a device: run by {@link dev.oriel.ibverbs.device.DeviceSuites} inside the
 * emulated machine of {@code it/softroce}, or by hand on a host that has one.
 */
package dev.oriel.ibverbs.device;
