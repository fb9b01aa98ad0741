/** The stylesheet of this folder, for whichever of its views comes first. */

import { addStyles } from "../ui/addStyles";
import styles from "./you.css?inline";

addStyles(styles);
