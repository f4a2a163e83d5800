/// Version of the program and the library; in every record, because bytes may change with it.
package let hdrbatchVersion = "0.1.0"
