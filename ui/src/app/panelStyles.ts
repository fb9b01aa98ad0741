import { addStyles } from "../shared/addStyles";
import styles from "./panel.css?inline";

addStyles(styles);
