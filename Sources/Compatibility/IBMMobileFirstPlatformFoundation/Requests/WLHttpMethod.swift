/// The method `GET`.
public let WLHttpMethodGet: String = "GET"
/// The method `POST`.
public let WLHttpMethodPost: String = "POST"
/// The method `PUT`.
public let WLHttpMethodPut: String = "PUT"
/// The method `DELETE`.
public let WLHttpMethodDelete: String = "DELETE"
