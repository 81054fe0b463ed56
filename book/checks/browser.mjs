// The browser of all checks.

import { chromium } from 'playwright-core';

/** Starts Debian's Chromium, without the sandbox that root may not have. */
export const launch = () => chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
