package dev.oriel.ports.contract;

import dev.oriel.ports.Window;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A window whose rank never clears the bytes at its front: a broken variant for channels. */
public final class LitteredWindow {
  private LitteredWindow() {}

  /** The same window, but writes of this rank to the first {@code bytes} of its part do nothing. */
  public static Window of(Window window, long bytes) {
    return (Window)
        Proxy.newProxyInstance(
            Window.class.getClassLoader(),
            new Class<?>[] {Window.class},
            (_, method, arguments) -> {
              if (method.getName().equals("write") && (Long) arguments[0] < bytes) {
                return null;
              }
              try {
                return method.invoke(window, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }
}
