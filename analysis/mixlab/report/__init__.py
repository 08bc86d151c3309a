"""The report on a results file: one page, and every figure as SVG and PDF."""
