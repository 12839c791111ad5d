export { createAuthenticator } from './authenticator.ts';
export { removeUser } from './users/change-access.ts';
export { isKnownZone, requireZone, updateCompany } from './write.ts';
export { updateCompanyUser } from './update-company-user.ts';
export {
  companiesByPin,
  companyRow,
  countMembers,
  firstCompany,
  setCompanyBrand,
  insertCompany,
  insertMembership,
  insertOrganization,
  insertOrganizationAdmin,
  organizationOfCompany,
  patchCompany,
  organizationWithCompanies,
  ownersOf,
} from './store.ts';
export { setPlan } from './plan/plan.ts';
export { addReward } from './plan/store.ts';
export { setSuspended } from './suspension/suspend.ts';
export { networksProblem } from './session-policies.ts';
export { limitUsersToNumber } from './limit-users.ts';
export { rolesOf } from './store-own-details.ts';
export { teamRows, teamsById, teamsWithPeople, type TeamWithPeople } from './teams/store.ts';
export { unmutedAddresses } from './unmuted-addresses.ts';
export { actingAs } from './acting-as.ts';
export { scimRoutes } from './scim/mount.ts';
export { emergencyNotice } from './sso/tell-owners.ts';
export { accessOfPerson, personNow } from './person-access.ts';
export { numbersStillVisible } from './visible-numbers.ts';
export { dateStyleOf } from './settings/date-style.ts';
export { recomputeSettings, saveSettings } from './settings/save-settings.ts';
export {
  changeRow,
  changesOf,
  isSame,
  valuesFor,
  type SettingOwner,
  type SettingValueRow,
  scheduleExists,
} from './settings/store-settings.ts';
