"""Addresses. Each needs a login, but the health check and the login itself."""

from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path

from plumbline.health import health

urlpatterns = [
    path("", include("plumbline.review.urls")),
    path("login/", auth.LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("password/", auth.PasswordChangeView.as_view(), name="password_change"),
    path("password/done/", auth.PasswordChangeDoneView.as_view(), name="password_change_done"),
    path("admin/", admin.site.urls),
    path("health/", health),
]
