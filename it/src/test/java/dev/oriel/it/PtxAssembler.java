package dev.oriel.it;

import java.nio.charset.StandardCharsets;
import java.util.List;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;

/** NVIDIA's PTX compiler as JCuda's natives carry it: no toolkit, no GPU. */
public final class PtxAssembler {
  private PtxAssembler() {}

  /** The reason why this platform has no such library; empty if it must be present. */
  public static String absence() {
    boolean here =
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64");
    return here ? "" : "JCuda publishes no PTX compiler for this platform";
  }

  /** The compiler's error; empty if there is none. */
  public static String complaint(String ptx, String target) {
    byte[] text = ptx.getBytes(StandardCharsets.UTF_8);
    nvPTXCompilerHandle handle = new nvPTXCompilerHandle();
    JNvPTXCompiler.nvPTXCompilerCreate(handle, text.length, text);
    try {
      List<String> options = List.of("--gpu-name=" + target, "--warning-as-error");
      int result =
          JNvPTXCompiler.nvPTXCompilerCompile(
              handle, options.size(), options.toArray(String[]::new));
      long[] size = new long[1];
      JNvPTXCompiler.nvPTXCompilerGetErrorLogSize(handle, size);
      byte[] log = new byte[Math.toIntExact(size[0]) + 1];
      JNvPTXCompiler.nvPTXCompilerGetErrorLog(handle, log);
      return result == 0 ? "" : "refused: " + new String(log, StandardCharsets.UTF_8).strip();
    } finally {
      JNvPTXCompiler.nvPTXCompilerDestroy(handle);
    }
  }
}
