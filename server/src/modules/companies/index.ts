export { routes } from './routes.ts';
export { createAuthenticator } from './authenticator.ts';
export { isKnownZone } from './write.ts';
export {
  companyRow,
  insertCompany,
  insertMembership,
  insertOrganization,
  insertOrganizationAdmin,
  owns,
  ownersOf,
} from './store.ts';
export { networksProblem } from './session-policies.ts';
export { limitUsersToNumber } from './limit-users.ts';
export { unmutedAddresses } from './unmuted-addresses.ts';
