"""Addresses. All require a login except the health check, the login page and single sign-on, what asks for a token, and
the links of invitations, new passwords and the first account.
"""

from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path

from plumbline.api import v1
from plumbline.desk.accounts.first_account_page import first_account_page
from plumbline.desk.accounts.invitation_pages import invitation_page
from plumbline.desk.accounts.password_page import PasswordPage
from plumbline.desk.accounts.password_reset import PasswordReset, PasswordResetConfirm
from plumbline.desk.accounts.second_factor_pages import second_factor_page
from plumbline.desk.accounts.sign_in import SignIn, login_code
from plumbline.desk.accounts.single_sign_on_pages import single_sign_on_begin, single_sign_on_callback
from plumbline.health import health
from plumbline.metrics.page import metrics
from plumbline.pages.folders import pages_of_analyses_and_methods

urlpatterns = [
    path("", include("plumbline.desk.urls")),
    path("", include("plumbline.annotation.urls")),
    path("", include("plumbline.sql_page.urls")),
    path("", include("plumbline.reports.urls")),
    path("", include("plumbline.api.urls")),
    *(path("", include(module)) for module in pages_of_analyses_and_methods()),
    path("login/", SignIn.as_view(), name="login"),
    path("login/code/", login_code, name="login_code"),
    path("login/single-sign-on/", single_sign_on_begin, name="single_sign_on"),
    path("login/single-sign-on/callback/", single_sign_on_callback, name="single_sign_on_callback"),
    path("second-factor/", second_factor_page, name="second_factor"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("password/", PasswordPage.as_view(), name="password_change"),
    path("password/done/", auth.PasswordChangeDoneView.as_view(), name="password_change_done"),
    path("password/reset/", PasswordReset.as_view(), name="password_reset"),
    path("password/reset/sent/", auth.PasswordResetDoneView.as_view(), name="password_reset_done"),
    path("password/reset/<uidb64>/<token>/", PasswordResetConfirm.as_view(), name="password_reset_confirm"),
    path("password/reset/complete/", auth.PasswordResetCompleteView.as_view(), name="password_reset_complete"),
    path("invitation/<str:token>/", invitation_page, name="invitation"),
    path("first-account/<str:token>/", first_account_page, name="first_account"),
    path("admin/", admin.site.urls),
    path("health/", health),
    path("metrics", metrics, name="metrics"),
    path("api/v1/", include((v1.patterns(), "api"))),
]
