"""The files of models: where they come from, what is known of them before they are loaded, and what is made of them."""
