interface Given {
  /** Where the installation is reached, without a slash at the end. */
  origin: string;
  companyKey: string;
  version: string;
}

/**
 * A custom template of Google Tag Manager, for containers in which custom HTML isn't allowed: a file
 * to import. Its permission names this installation alone, so it can load nothing else. Pure.
 */
export const tagManagerTemplate = ({ origin, companyKey, version }: Given): string =>
  [
    ['TERMS_OF_SERVICE', terms],
    ['INFO', json(info)],
    ['TEMPLATE_PARAMETERS', json(parametersOf(companyKey, version))],
    ['SANDBOXED_JS_FOR_WEB_TEMPLATE', codeOf(origin, version)],
    ['WEB_PERMISSIONS', json([mayLoad(`${origin}/t/*`)])],
    ['TESTS', testsOf(origin, companyKey, version)],
    ['NOTES', `Version ${version} of the script.`],
  ]
    .map(([name, text]) => `___${name}___\n\n${text}\n`)
    .join('\n\n');

/** As Tag Manager writes it, without characters that mean something in HTML. */
const json = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /[<>&']/g,
    (char) => `\\u00${char.charCodeAt(0).toString(16)}`,
  );

// As every template begins.
const terms = [
  "By creating or modifying this file you agree to Google Tag Manager's Community",
  'Template Gallery Developer Terms of Service available at',
  'https://developers.google.com/tag-manager/gallery-tos (or such other URL as',
  'Google may provide), as modified from time to time.',
].join('\n');

const info = {
  type: 'TAG',
  id: 'cvt_temp_public_id',
  version: 1,
  securityGroups: [],
  displayName: 'Trunkline call tracking',
  brand: { id: 'brand_dummy', displayName: '' },
  description: 'Shows each visitor the phone number that tells where they came from.',
  containerContexts: ['WEB'],
};

const parametersOf = (companyKey: string, version: string) => [
  {
    type: 'TEXT',
    name: 'companyKey',
    displayName: 'Company key',
    simpleValueType: true,
    defaultValue: companyKey,
    valueValidators: [{ type: 'NON_EMPTY' }, { type: 'REGEX', args: ['^[0-9]+-[A-Za-z0-9]+$'] }],
  },
  {
    type: 'SELECT',
    name: 'version',
    displayName: 'Version',
    macrosInSelect: false,
    selectItems: [
      { value: version, displayValue: `${version}, which never changes` },
      { value: '1', displayValue: 'Always the newest' },
    ],
    simpleValueType: true,
    defaultValue: version,
  },
];

const codeOf = (origin: string, version: string): string =>
  [
    "const encodeUriComponent = require('encodeUriComponent');",
    "const injectScript = require('injectScript');",
    '',
    `const folder = '${origin}/t/' + encodeUriComponent(data.companyKey);`,
    `const url = folder + '/' + encodeUriComponent(data.version || '${version}') + '/dni.js';`,
    "injectScript(url, data.gtmOnSuccess, data.gtmOnFailure, 'trunkline');",
  ].join('\n');

const mayLoad = (url: string) => ({
  instance: {
    key: { publicId: 'inject_script', versionId: '1' },
    param: [{ key: 'urls', value: { type: 2, listItem: [{ type: 1, string: url }] } }],
  },
  clientAnnotations: { isEditedByUser: true },
  isRequired: true,
});

const testsOf = (origin: string, companyKey: string, version: string): string =>
  [
    'scenarios:',
    '- name: Loads the script of the company',
    '  code: |-',
    "    mock('injectScript', (url, onSuccess) => {",
    `      assertThat(url).isEqualTo('${origin}/t/${companyKey}/${version}/dni.js');`,
    '      onSuccess();',
    '    });',
    `    runCode({ companyKey: '${companyKey}', version: '${version}' });`,
    "    assertApi('gtmOnSuccess').wasCalled();",
    '- name: Says so when the script can’t be loaded',
    '  code: |-',
    "    mock('injectScript', (url, onSuccess, onFailure) => onFailure());",
    `    runCode({ companyKey: '${companyKey}', version: '1' });`,
    "    assertApi('gtmOnFailure').wasCalled();",
    "setup: ''",
  ].join('\n');
