package dev.oriel.cuda.driver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import jcuda.NativePointerObject;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;

/** The addresses inside JCuda's handle objects, which JCuda does not expose. */
final class HandleAddresses {
  private static final VarHandle ADDRESS;

  static {
    try {
      ADDRESS =
          MethodHandles.privateLookupIn(NativePointerObject.class, MethodHandles.lookup())
              .findVarHandle(NativePointerObject.class, "nativePointer", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private HandleAddresses() {}

  static long of(NativePointerObject object) {
    return (long) ADDRESS.get(object);
  }

  /** Makes the object stand for that address; returns the object. */
  static <T extends NativePointerObject> T into(T object, long address) {
    ADDRESS.set(object, address);
    return object;
  }

  static Pointer host(long address) {
    return into(new Pointer(), address);
  }

  static CUdeviceptr device(long address) {
    return into(new CUdeviceptr(), address);
  }
}
