import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

const path = '/companies/{companyId}/oauth-integrations/{id}/slack';

export const listSlackChannels = endpoint<typeof operations.listSlackChannels>({
  name: 'listSlackChannels',
  method: 'GET',
  path: `${path}/channels`,
  permission: 'integrations.edit',
  company: 'path',
});

export const configureSlack = endpoint<typeof operations.configureSlack>({
  name: 'configureSlack',
  method: 'POST',
  path: `${path}/configure`,
  permission: 'integrations.edit',
  company: 'path',
});
