"""The store of records and measures: its tables, views, loading and exports. `findings` puts them into sentences."""
