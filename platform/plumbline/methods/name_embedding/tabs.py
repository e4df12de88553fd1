"""The page of embeddings of names."""

from plumbline.methods.name_embedding.accuracies import ACCURACY
from plumbline.pages.tabs import MethodPages, Tab

PAGES = MethodPages(
    (
        Tab(
            "name_embeddings",
            "Embeddings",
            "run_name_embeddings",
            (ACCURACY,),
            purpose="Whether the model's representations of names separate groups.",
        ),
    ),
    own_grid=True,
)
