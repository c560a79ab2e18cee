#pragma once

namespace stiction::cone {

/// One contact: r in the round cone of mu with u = A r + b obeying the law, A three by three, row after row, positive
/// semidefinite, not necessarily symmetric. Exact up to rounding: open, else sticking, else the root in lambda of
///
///     |r_T| = mu r_n,   (A_T + lambda I) r_T = -b_T,   u_T = -lambda r_T,
///
/// with the normal eliminated by u_n = 0. On entry r is a guess, which saves time where it is near. False, and r is
/// what it was, when no state fits.
bool solve_contact(const double a[9], const double b[3], double mu, double r[3]);

/// The same in the plane, with A two by two, by its three states: no root is searched for, and no guess helps.
bool solve_plane_contact(const double a[4], const double b[2], double mu, double r[2]);

}  // namespace stiction::cone
