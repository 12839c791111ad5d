import { Accordion, List } from '@mantine/core';
import { Section, t } from '#ui';

const guides = () => [
  {
    name: t('Google Workspace'),
    steps: [
      t(
        'In the Google Cloud console, create a project and an OAuth consent screen of type Internal.',
      ),
      t('Create an OAuth client of type Web application, and enter the redirect URI.'),
      t('Here, enter the issuer https://accounts.google.com, the client ID and the secret.'),
      t('Google sends no groups, so everyone gets the access you set for all.'),
    ],
  },
  {
    name: t('Microsoft Entra ID'),
    steps: [
      t(
        'In the Entra admin center, register an application for accounts in this directory only, and enter the redirect URI of type Web.',
      ),
      t('Under Certificates & secrets, create a client secret.'),
      t(
        'Under Token configuration, add the optional claim email to the ID token, and a groups claim if access depends on groups.',
      ),
      t(
        'Here, enter the issuer https://login.microsoftonline.com/, your tenant ID and /v2.0, the client ID and the secret.',
      ),
    ],
  },
  {
    name: t('Okta'),
    steps: [
      t(
        'In the Okta admin console, create an app integration of type OIDC, Web application, and enter the redirect URI.',
      ),
      t('Assign the people or groups that can sign in.'),
      t('Under Sign On, add a groups claim if access depends on groups.'),
      t('Here, enter your Okta address as issuer, the client ID and the secret.'),
    ],
  },
];

/** How to set single sign-on up at the providers that most organizations have. */
export const ProviderGuide = () => (
  <Section
    title={t('How to set it up')}
    about={t('Built from the providers’ public references. No live account has been used.')}
  >
    <Accordion variant="contained">
      {guides().map(({ name, steps }) => (
        <Accordion.Item key={name} value={name}>
          <Accordion.Control>{name}</Accordion.Control>
          <Accordion.Panel>
            <List type="ordered" size="sm" spacing={4}>
              {steps.map((step) => (
                <List.Item key={step}>{step}</List.Item>
              ))}
            </List>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  </Section>
);
