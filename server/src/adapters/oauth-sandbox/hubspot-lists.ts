/** What can be chosen from a simulated HubSpot account, as HubSpot lists it. */

const property = (name: string, label: string, more: object = {}) => ({
  ...{ name, label, type: 'string', fieldType: 'text', groupName: 'contactinformation' },
  ...more,
});
const properties = [
  property('phone', 'Phone Number'),
  property('mobilephone', 'Mobile Phone Number'),
  property('firstname', 'First Name'),
  property('lastname', 'Last Name'),
  property('email', 'Email'),
  property('company', 'Company Name'),
  property('address', 'Street Address'),
  property('city', 'City'),
  property('state', 'State/Region'),
  property('zip', 'Postal Code'),
  property('country', 'Country/Region'),
  property('lead_source', 'Lead Source'),
  property('campaign', 'Campaign'),
  property('search_keyword', 'Search Keyword'),
  property('landing_page', 'Landing Page'),
  property('tracking_number', 'Tracking Number'),
  property('last_call_outcome', 'Last Call Outcome'),
  property('lifecyclestage', 'Lifecycle Stage', { type: 'enumeration' }),
  property('hubspot_owner_id', 'Contact owner', { type: 'enumeration' }),
  property('hs_object_id', 'Record ID', { modificationMetadata: { readOnlyValue: true } }),
];
/** Names of what a contact has. */
export const propertyNames: ReadonlySet<string> = new Set(properties.map(({ name }) => name));

const owner = (id: string, firstName: string, lastName: string) => ({
  ...{ id, firstName, lastName, archived: false },
  email: `${firstName.toLowerCase()}@harbor.example.com`,
});
const stage = (id: string, label: string) => ({ id, label, displayOrder: 0, archived: false });

/** Lists by their path. */
export const hubspotLists: Readonly<Record<string, readonly object[]>> = {
  '/crm/v3/owners': [owner('7101', 'Ann', 'Harbor'), owner('7102', 'Ben', 'Brook')],
  '/crm/v3/properties/contacts': properties,
  '/crm/v3/pipelines/contacts': [
    {
      ...{ id: 'contacts-lifecycle-pipeline', label: 'Lifecycle Stage Pipeline', archived: false },
      stages: [
        stage('lead', 'Lead'),
        stage('marketingqualifiedlead', 'Marketing Qualified Lead'),
        stage('salesqualifiedlead', 'Sales Qualified Lead'),
        stage('customer', 'Customer'),
      ],
    },
  ],
};
