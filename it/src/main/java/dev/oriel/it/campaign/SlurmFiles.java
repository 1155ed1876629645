package dev.oriel.it.campaign;

import dev.oriel.it.check.CampaignFile;
import java.util.LinkedHashMap;
import java.util.Map;

/** The scripts of a campaign on Slurm; those of a part and of the merge need bash alone. */
final class SlurmFiles {
  /** Runs one part again. */
  static final String ALONE = "bash " + CampaignFile.FOLDER + "/part.sh " + CampaignFile.NUMBER;

  private SlurmFiles() {}

  /** The texts by the names of their files. */
  static Map<String, String> of(CampaignJob job) {
    Map<String, String> values = job.values();
    Map<String, String> files = new LinkedHashMap<>();
    files.put("part.sh", CampaignTemplate.filled("part.sh", values));
    files.put("merge.sh", CampaignTemplate.filled("merge.sh", values));
    files.put("submit.sh", CampaignTemplate.filled("slurm-submit.sh", values));
    return files;
  }
}
