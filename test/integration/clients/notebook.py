"""Executes cells of a notebook in a kernel of Jupyter: a list of texts, as JSON, on each line of standard input has a kernel of its own.

Prints what each cell showed, as JSON. The end of the cells shuts their kernel down.
"""
import json
import sys

import nbformat
from nbclient import NotebookClient


def told(output):
    if output.output_type == "stream":
        return output.text
    if output.output_type == "error":
        return "%s: %s" % (output.ename, output.evalue)
    return output.data.get("text/html") or output.data.get("text/plain")


for line in sys.stdin:
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(cell) for cell in json.loads(line)]
    NotebookClient(notebook, timeout=60, kernel_name="python3", allow_errors=True).execute()
    print(json.dumps([[told(output) for output in cell.outputs] for cell in notebook.cells]))
