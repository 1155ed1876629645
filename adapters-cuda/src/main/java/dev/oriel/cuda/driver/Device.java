package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_P2PAttribute;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;

/**
 * A GPU that the driver shows, opened by this process or not. Access to another GPU's memory is a
 * property of the pair, in that direction.
 */
public final class Device {
  private final int ordinal;
  private final CUdevice handle;

  private Device(int ordinal, CUdevice handle) {
    this.ordinal = ordinal;
    this.handle = handle;
  }

  static Device of(int ordinal) {
    CUdevice handle = new CUdevice();
    Gpu.call("cuDeviceGet gpu=" + ordinal, () -> JCudaDriver.cuDeviceGet(handle, ordinal));
    return new Device(ordinal, handle);
  }

  /** All GPUs that the driver shows; the driver must be open. */
  public static List<Device> shown() {
    int[] count = new int[1];
    Gpu.call("cuDeviceGetCount", () -> JCudaDriver.cuDeviceGetCount(count));
    return IntStream.range(0, count[0]).mapToObj(Device::of).toList();
  }

  public int ordinal() {
    return ordinal;
  }

  CUdevice handle() {
    return handle;
  }

  public UUID uuid() {
    CUuuid uuid = new CUuuid();
    ask("identity", () -> JCudaDriver.cuDeviceGetUuid(uuid, handle));
    ByteBuffer bytes = ByteBuffer.wrap(uuid.bytes);
    return new UUID(bytes.getLong(), bytes.getLong());
  }

  /** Its model. */
  public String name() {
    byte[] name = new byte[128];
    ask("name", () -> JCudaDriver.cuDeviceGetName(name, name.length, handle));
    String whole = new String(name, StandardCharsets.UTF_8);
    int end = whole.indexOf('\0');
    return end < 0 ? whole : whole.substring(0, end);
  }

  /** Its address on PCIe, as the kernel writes it: {@code 0000:18:00.0}. */
  public String busAddress() {
    return "%04x:%02x:%02x.0"
        .formatted(
            attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID),
            attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_PCI_BUS_ID),
            attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID));
  }

  private int attribute(int attribute) {
    int[] value = new int[1];
    ask("attribute=" + attribute, () -> JCudaDriver.cuDeviceGetAttribute(value, attribute, handle));
    return value[0];
  }

  /** Whether this GPU can load from and store to the other's memory. */
  public boolean reaches(Device other) {
    int[] can = new int[1];
    ask(
        "reach gpu=" + other.ordinal,
        () -> JCudaDriver.cuDeviceCanAccessPeer(can, handle, other.handle));
    return can[0] != 0;
  }

  /**
   * Whether this GPU's atomics on the other's memory are atomic. If not, the driver does not refuse
   * them, and they lose updates.
   */
  public boolean changesAtomically(Device other) {
    int[] can = new int[1];
    ask(
        "atomics at gpu=" + other.ordinal,
        () ->
            JCudaDriver.cuDeviceGetP2PAttribute(
                can,
                CUdevice_P2PAttribute.CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED,
                handle,
                other.handle));
    return can[0] != 0;
  }

  /**
   * Refuses a pair if this GPU does not reach the other's memory.
   *
   * @throws MachineException naming the pair
   */
  public void requireReach(Device other) {
    if (ordinal != other.ordinal && !reaches(other)) {
      throw MachineException.lacking(
          "no peer access: from gpu=%d, to gpu=%d; see nvidia-smi topo -m"
              .formatted(ordinal, other.ordinal));
    }
  }

  /**
   * Refuses a pair if this GPU's updates of the other's words are not atomic.
   *
   * @param what the operation that needs it
   * @throws MachineException naming the pair
   */
  public void requireAtomics(Device other, String what) {
    if (ordinal != other.ordinal && !changesAtomically(other)) {
      throw MachineException.lacking(
          "no atomics between GPUs: from gpu=%d, to gpu=%d, asked for=%s; use a program that only stores to peers (signals by set, no locks), or GPUs joined by NVLink (oriel doctor, nvidia-smi topo -p2p a)"
              .formatted(ordinal, other.ordinal, what));
    }
  }

  /**
   * Refuses if several GPUs' updates of words in the host's memory are not atomic.
   *
   * @param what the operation that needs it
   * @throws MachineException naming the GPU
   */
  public void requireHostAtomics(String what) {
    if (attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED) == 0) {
      throw MachineException.lacking(
          "no atomics in the host's memory: gpu=%d, asked for=%s; ranks of one host keep what peers reach there, so use a program that only stores to peers (signals by set, no locks), or one rank per host"
              .formatted(ordinal, what));
    }
  }

  private void ask(String what, Gpu.Call call) {
    Gpu.call("gpu=%d, call=%s".formatted(ordinal, what), call);
  }
}
