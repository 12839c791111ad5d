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
export { limitUsersToNumber } from './limit-users.ts';
export { unmutedAddresses } from './unmuted-addresses.ts';
export { recomputeSettings, saveSettings } from './settings/save-settings.ts';
export {
  changeRow,
  changesOf,
  isSame,
  valuesFor,
  type SettingOwner,
  type SettingValueRow,
} from './settings/store-settings.ts';
