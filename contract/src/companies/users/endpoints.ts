import { endpoint } from '../../kit.ts';
import type * as operations from './operations/index.ts';

export const deleteCompanyUser = endpoint<typeof operations.deleteCompanyUser>({
  name: 'deleteCompanyUser',
  method: 'DELETE',
  path: '/company/{companyId}/user/{userId}',
  permission: 'users.edit',
  company: 'path',
  confirms: true,
});

export const activateUser = endpoint<typeof operations.activateUser>({
  name: 'activateUser',
  method: 'POST',
  path: '/user-activation/activate',
  permission: 'users.edit',
  company: 'given',
});

export const deactivateUser = endpoint<typeof operations.deactivateUser>({
  name: 'deactivateUser',
  method: 'POST',
  path: '/user-activation/deactivate',
  permission: 'users.edit',
  company: 'given',
  confirms: true,
});

export const updateProfile = endpoint<typeof operations.updateProfile>({
  name: 'updateProfile',
  method: 'PUT',
  path: '/users/{userId}',
  permission: 'session',
  company: 'none',
  // Asks for the password when the address changes.
  confirms: 'own',
});

export const updatePassword = endpoint<typeof operations.updatePassword>({
  name: 'updatePassword',
  method: 'PUT',
  path: '/users/{userId}/update-password',
  permission: 'session',
  company: 'none',
  // Asks for the present password.
  confirms: 'own',
});

export const getOwnershipTransfer = endpoint<typeof operations.getOwnershipTransfer>({
  name: 'getOwnershipTransfer',
  method: 'GET',
  path: '/company/{companyId}/ownership-transfer',
  permission: 'users.edit',
  company: 'path',
});

export const startOwnershipTransfer = endpoint<typeof operations.startOwnershipTransfer>({
  name: 'startOwnershipTransfer',
  method: 'POST',
  path: '/company/{companyId}/ownership-transfer',
  permission: 'ownership.transfer',
  company: 'path',
  // Asks for the password in its body.
  confirms: 'own',
});

/** The owner agrees to a transfer that someone else started. */
export const confirmOwnershipTransfer = endpoint<typeof operations.confirmOwnershipTransfer>({
  name: 'confirmOwnershipTransfer',
  method: 'POST',
  path: '/company/{companyId}/ownership-transfer/confirm',
  permission: 'ownership.transfer',
  company: 'path',
  confirms: true,
});

export const cancelOwnershipTransfer = endpoint<typeof operations.cancelOwnershipTransfer>({
  name: 'cancelOwnershipTransfer',
  method: 'DELETE',
  path: '/company/{companyId}/ownership-transfer',
  permission: 'users.edit',
  company: 'path',
});

export const acceptOwnershipTransfer = endpoint<typeof operations.acceptOwnershipTransfer>({
  name: 'acceptOwnershipTransfer',
  method: 'POST',
  path: '/company/{companyId}/ownership-transfer/accept',
  permission: 'users.edit',
  company: 'path',
  confirms: true,
});

/** Giving the administrator's role and ending access need a recent confirmation, as for one person. */
export const updateManyUsers = endpoint<typeof operations.updateManyUsers>({
  name: 'updateManyUsers',
  method: 'POST',
  path: '/companies/{companyId}/users/bulk',
  permission: 'users.edit',
  company: 'path',
  confirms: ({ role, active }) => role === 'administrator' || active === false,
});
