package dev.oriel.sim.testing;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Passes a test an {@link Explorer} whose pictures go to a folder of that test, and adds token and
 * picture of a failure to the report: {@code @ExtendWith(ExplorerExtension.class)}.
 */
public final class ExplorerExtension implements ParameterResolver, TestExecutionExceptionHandler {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Explorer.class;
  }

  @Override
  public Explorer resolveParameter(ParameterContext parameter, ExtensionContext test) {
    Path folder = Path.of("target", "oriel", test.getRequiredTestClass().getSimpleName());
    String method = test.getTestMethod().map(m -> m.getName()).orElse("all");
    return Explorer.standard().withPictures(folder.resolve(method));
  }

  @Override
  public void handleTestExecutionException(ExtensionContext test, Throwable thrown)
      throws Throwable {
    if (thrown instanceof ProtocolError error) {
      test.publishReportEntry(
          Map.of("oriel.token", error.token(), "oriel.picture", error.picture().toString()));
    }
    throw thrown;
  }
}
