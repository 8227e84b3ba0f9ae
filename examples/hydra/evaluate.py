"""Cranfield under Hydra: decisions are composed, overridden and swept as any configuration.

pip install hydra-core

python evaluate.py seed=2 systems=factors
python evaluate.py --multirun systems.kNN.k=10,20,40

Results and report are written to the folder that Hydra makes for the job.
"""

from __future__ import annotations

from pathlib import Path

import hydra
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf

import cranfield as cf


@hydra.main(version_base=None, config_path="conf", config_name="experiment")
def evaluate(config: DictConfig) -> float:
    """Run the experiment; the best value by the first metric is what a sweeper optimises."""
    results = cf.run(OmegaConf.to_container(config, resolve=True))
    cf.write_results(results, Path(HydraConfig.get().runtime.output_dir) / "results")
    first = results.scores.metrics[0]
    return max(row.value for row in results.summary.rows if row.metric == first)


if __name__ == "__main__":
    evaluate()
