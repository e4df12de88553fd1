"""Addresses of the SQL page."""

from django.urls import path

from plumbline.sql_page.page import sql, sql_answer, sql_asked, sql_cancel, sql_example, sql_file, sql_saved
from plumbline.sql_page.saved_queries import sql_delete, sql_edit, sql_save

urlpatterns = [
    path("sql/", sql, name="sql"),
    path("sql/answer/", sql_answer, name="sql_answer"),
    path("sql/file/", sql_file, name="sql_file"),
    path("sql/cancel/", sql_cancel, name="sql_cancel"),
    path("sql/asked/<int:pk>/", sql_asked, name="sql_asked"),
    path("sql/examples/<slug:slug>/", sql_example, name="sql_example"),
    path("sql/saved/<int:pk>/", sql_saved, name="sql_saved"),
    path("sql/save/", sql_save, name="sql_save"),
    path("sql/saved/<int:pk>/edit/", sql_edit, name="sql_edit"),
    path("sql/saved/<int:pk>/delete/", sql_delete, name="sql_delete"),
]
