import { expect, test } from 'vitest';
import { createCompany } from './test-company.ts';
import { openPage, serverUrl, waitForNotice } from './browser.ts';
