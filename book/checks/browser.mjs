// The browser of all checks.

import { chromium } from 'playwright-core';

/** Starts Debian's Chromium that has no windows, and takes a third less for these checks than the one that can have some; without the sandbox that root may not have. */
export const launch = () => chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] });

/** How long to wait for what must come, in milliseconds: other steps may have both cores meanwhile. */
export const PATIENCE = 90_000;
