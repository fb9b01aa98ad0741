import { z } from "zod";

/** Node packages that the assistant may run for good, as the server keeps them. */
export const trustedPackagesRoute = "/assistant/trusted-packages";
export const trustedPackagesReply = z.object({ packages: z.array(z.string()) });
