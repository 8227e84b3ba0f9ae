"""The public verbs by stage; `cranfield.workbench.api` has them all."""
